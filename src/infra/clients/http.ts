export function createHttpClient(_: object) {
  return { close: async () => {} }
}
