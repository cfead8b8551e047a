export type ToolName = 'terraform' | 'tofu' | 'opa';
export type EngineName = Exclude<ToolName, 'opa'>;

/** A program that was run once and answered with its version. */
export interface Tool<Name extends ToolName = ToolName> {
  readonly name: Name;
  /** Absolute. */
  readonly path: string;
  /** Without a leading `v`. */
  readonly version: string;
  readonly origin: 'path' | 'cache' | 'downloaded' | 'built';
}

export interface EngineRequest {
  /** `auto`: terraform on PATH, else tofu on PATH, else the pinned terraform. */
  readonly name: EngineName | 'auto';
  /** In Terraform's `required_version` syntax; `1.9.x` works too. */
  readonly constraint?: string;
  /** Directory of the root module: version managers' shims answer by the directory they run in. */
  readonly directory?: string;
}

export interface ProviderRequest {
  readonly engine: EngineName;
  /** Directory of the root module, absolute. */
  readonly directory: string;
}

export interface Toolchain {
  /**
   * Throws `ArgumentInvalid` for a constraint that can't be read, `EngineMissing` where nothing fits and nothing can be
   * downloaded, `DownloadFailed` and `ChecksumMismatch` where a download goes wrong, `EngineFailed` where it doesn't run.
   */
  engine(request: EngineRequest): Promise<Tool<EngineName>>;
  /** Throws as {@link Toolchain.engine} does. */
  opa(): Promise<Tool<'opa'>>;
  /**
   * A CLI configuration file for `TF_CLI_CONFIG_FILE` that adds the provider mirrors of this machine to those Terraform
   * finds itself. `undefined`: leave the environment as it is, because there are none or the user's own file decides.
   *
   * A mirrored provider is not looked for in its registry, so `init` fails where no mirrored version satisfies the
   * configuration and no lock file says so beforehand: the caller can then run `init` without the file.
   */
  cliConfig(request: ProviderRequest): Promise<string | undefined>;
}
