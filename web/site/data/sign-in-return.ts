import { signedInAs, signedInKey } from './api.ts'

const returned = /([?&])signed-in(?:=[^&]*)?(&|$)/

/** Remembers that the reader comes back from signing in, which the address needs to tell no longer. */
export function takeReturn(): void {
  const { search, pathname, hash } = location
  if (!returned.test(search)) return
  localStorage.setItem(signedInKey, signedInAs() ?? '')
  const rest = search.replace(returned, (_, before: string, after: string) => (after === '' ? '' : before))
  history.replaceState(history.state, '', `${pathname}${rest}${hash}`)
}
