/** Names of countries by their codes; `XK` is one that the standard does not have. */

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

export function countryOf(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
