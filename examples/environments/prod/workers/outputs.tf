output "thumbnails_queue_url" {
  value = module.thumbnails.url
}
