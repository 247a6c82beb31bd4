/** The seal purpose of each secret. A text that is sealed for one purpose cannot be opened for another. */
export const sealPurposes = {
  token: 'assistant_links.token',
  password: 'assistant_links.password',
  hookSecret: 'assistant_links.hook_secret',
} as const
