/** Where this engine and the reading of the corpus differ, exactly how, and why we hold to ours. */
export const DISAGREEMENTS: readonly { readonly file: string; readonly what: string; readonly why: string }[] = [
  {
    file: 'fugue__regula/rego__tests__rules__tf__aws__cloudtrail__inputs__issue355_infra.json',
    what: 'verdict in-sync, reading says drifted; driftedResources 0, reading says 1',
    why: 'policy and logging of the bucket follow aws_s3_bucket_policy and aws_s3_bucket_logging of the same stack',
  },
  {
    file: 'infracost__infracost/cmd__infracost__testdata__instance_with_attachment_after_deploy.json',
    what: 'verdict in-sync, reading says drifted; driftedResources 0, reading says 1',
    why: 'the block device of the instance follows aws_volume_attachment of the same stack',
  },
  {
    file: 'local__terraform-1.11.4/07-move-refresh-only.json',
    what: 'verdict pending, reading says in-sync',
    why: 'nothing drifted, as the reading says; the move itself is not in the state yet',
  },
  {
    file: 'opentofu__opentofu/testing__equivalence-tests__outputs__moved_with_refresh_only__plan.json',
    what: 'verdict pending, reading says in-sync',
    why: 'nothing drifted, as the reading says; the move itself is not in the state yet',
  },
  {
    file: 'ovsds__tf-plan-format/tests__data__plans__artificial__full.json',
    what: 'refused: plan format "test_format_version" is not known, expected 0.x or 1.x',
    why: 'made up for a unit test: no engine writes such a version, and an unknown format is refused',
  },
];
