/** Packages that may be missing. The program imports them on demand, from the place where it is installed. */
export const OPTIONAL_PACKAGES = ['@aws-sdk/credential-providers', 'libsql'];
