module "orders" {
  source = "../../../modules/queue"

  name                       = "dev-orders"
  visibility_timeout_seconds = 30
}

module "emails" {
  source = "../../../modules/queue"

  name                      = "dev-emails"
  message_retention_seconds = 86400
}
