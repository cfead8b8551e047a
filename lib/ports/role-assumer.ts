export interface RoleRequest {
  readonly roleArn: string;
  /** What the role asks for, so that nobody else can have us assume it. */
  readonly externalId: string | null;
  /** Shows up in CloudTrail. At most 64 of the characters that STS allows. */
  readonly sessionName: string;
  readonly durationSeconds: number;
}

/** Credentials of one session. Secrets, but for the id. */
export interface RoleCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface RoleAssumer {
  /** Throws `RoleUnavailable` naming the role. */
  assume(request: RoleRequest): Promise<RoleCredentials>;
}
