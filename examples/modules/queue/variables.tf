variable "name" {
  description = "Name of the queue. The dead-letter queue gets the same name with \"-dead-letter\" behind it."
  type        = string
}

variable "visibility_timeout_seconds" {
  description = "How long a received message stays hidden from other consumers: at least as long as handling one takes."
  type        = number
  default     = 30
}

variable "message_retention_seconds" {
  description = "How long a message waits to be received before SQS drops it."
  type        = number
  default     = 345600 # 4 days
}

variable "max_receive_count" {
  description = "How often a message is delivered before it goes to the dead-letter queue."
  type        = number
  default     = 5
}
