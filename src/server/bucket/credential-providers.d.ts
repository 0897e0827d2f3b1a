/** The part that tsreg uses of an optional package, which is not installed for development. */
declare module '@aws-sdk/credential-providers' {
  /** Returns a function that finds credentials, and caches them. `ignoreCache`: reads changed files again. */
  export function fromNodeProviderChain(init: { readonly ignoreCache: boolean }): () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
    readonly expiration?: Date;
  }>;
}
