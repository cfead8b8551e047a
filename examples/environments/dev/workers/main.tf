module "thumbnails" {
  source = "../../../modules/queue"

  name                       = "dev-thumbnails"
  visibility_timeout_seconds = 120
  max_receive_count          = 3
}
