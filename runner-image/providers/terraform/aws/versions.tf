# Providers that the image brings along. A stack whose lock file asks for another version gets that from the registry, at
# every check. Put more versions of a provider into folders beside this one; those for OpenTofu go to providers/tofu/.
terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.100"
    }
  }
}
