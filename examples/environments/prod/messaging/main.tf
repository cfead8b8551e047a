module "orders" {
  source = "../../../modules/queue"

  name                       = "prod-orders"
  visibility_timeout_seconds = 60
}

module "emails" {
  source = "../../../modules/queue"

  name                      = "prod-emails"
  message_retention_seconds = 345600
}
