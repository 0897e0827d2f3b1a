/** Packages that may be missing: they are imported when they are needed, from where the program is installed. */
export const OPTIONAL_PACKAGES = ['libsql'];
