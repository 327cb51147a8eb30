/** Bytes of the file that somebody chooses as a logo, of the platform or of reports. */
export const LOGO_BYTES = 256 * 1024
