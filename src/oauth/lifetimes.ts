/** Seconds: ten minutes. (rest-interface: Authorization code and refresh token) */
export const codeLifetime = 600

/** Seconds that a user has to find another screen and decide. (RFC 8628 §3.2) */
export const deviceLifetime = 900

/** Seconds between two questions of a waiting device, and by how much they grow when it does not keep to that. (RFC 8628 §3.5) */
export const deviceInterval = 5
