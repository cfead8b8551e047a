output "orders_queue_url" {
  value = module.orders.url
}

output "emails_queue_url" {
  value = module.emails.url
}
