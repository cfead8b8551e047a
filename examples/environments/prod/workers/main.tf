module "thumbnails" {
  source = "../../../modules/queue"

  name                       = "prod-thumbnails"
  visibility_timeout_seconds = 120
  max_receive_count          = 3
}
