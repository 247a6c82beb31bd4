/** What binds each secret of a link to its place: none is opened as another. */
export const sealPurposes = {
  token: 'assistant_links.token',
  password: 'assistant_links.password',
  hookSecret: 'assistant_links.hook_secret',
} as const
