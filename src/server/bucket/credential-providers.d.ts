/** The part that tsreg uses of an optional package, which is not installed for development. */
declare module '@aws-sdk/credential-providers' {
  /** Returns a function that finds, caches and refreshes credentials. `ignoreCache`: reads changed files again. */
  export function fromNodeProviderChain(init: { readonly ignoreCache: boolean }): (options: {
    readonly forceRefresh: boolean;
  }) => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  }>;
}
