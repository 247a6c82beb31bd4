/** The drafts that were made in this browser, newest first, since no list of the API has drafts. Signing out clears it. (W1) */

const key = 'downbeat.drafts'
const most = 20

export function ownDrafts(): readonly string[] {
  return (localStorage.getItem(key) ?? '').split(' ').filter((guid) => guid !== '')
}

export function keepDraft(guid: string): void {
  localStorage.setItem(key, [guid, ...ownDrafts().filter((each) => each !== guid)].slice(0, most).join(' '))
}

export function dropDraft(guid: string): void {
  const left = ownDrafts().filter((each) => each !== guid)
  if (left.length === 0) forgetDrafts()
  else localStorage.setItem(key, left.join(' '))
}

export function forgetDrafts(): void {
  localStorage.removeItem(key)
}
