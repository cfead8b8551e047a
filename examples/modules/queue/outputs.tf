output "url" {
  value = aws_sqs_queue.main.url
}

output "arn" {
  value = aws_sqs_queue.main.arn
}

output "dead_letter_arn" {
  value = aws_sqs_queue.dead_letter.arn
}
