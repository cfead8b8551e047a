module "orders" {
  source = "../../../modules/queue"

  name                       = "staging-orders"
  visibility_timeout_seconds = 60
}

module "emails" {
  source = "../../../modules/queue"

  name                      = "staging-emails"
  message_retention_seconds = 345600
}
