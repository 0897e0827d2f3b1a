/** Packages that may be missing. The program imports them on demand, from the place where it is installed. */
export const OPTIONAL_PACKAGES = ['@aws-sdk/credential-providers', 'libsql'];

/** Packages that bundled packages import for features that tsreg does not use: XML of CycloneDX. */
export const UNUSED_PACKAGES = { xmlbuilder2: false };
