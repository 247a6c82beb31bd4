/** Seconds: ten minutes. (rest-interface: Authorization code and refresh token) */
export const codeLifetime = 600

/** Seconds that a user has to find another screen and decide. (RFC 8628 §3.2) */
export const deviceLifetime = 900

/**
 * Minimum seconds between two polls of a waiting device, and the increase for a device that polls too often. (RFC 8628
 * §3.5)
 */
export const deviceInterval = 5
