terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.100"
    }
  }
}

# Region, credentials and endpoint come from the environment (AWS_REGION, AWS_PROFILE, AWS_ENDPOINT_URL and so on).
provider "aws" {
  default_tags {
    tags = {
      Environment = "dev"
      Layer       = "workers"
    }
  }
}
