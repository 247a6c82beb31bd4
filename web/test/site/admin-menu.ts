import type { Caller } from '../../../test/harness.ts'
import type { Hands } from './hands.ts'

/** The ways to the pages of administration. */

/** From any page by the reader's own menu; those with a global role alone have the link there. */
export async function toAdministration({ page, press }: Hands, { username }: Caller): Promise<void> {
  await press(page.getByRole('button', { name: `${username}, your menu` }))
  await press(page.getByRole('link', { name: 'Administration' }))
}

/** By the menu of administration, which a button opens on a phone. */
export async function toAdminPage(hands: Hands, name: string): Promise<void> {
  const { page } = hands
  const opens = page.getByRole('button', { name: /^Administration/ })
  const link = page.getByRole('navigation', { name: 'Pages of administration' }).getByRole('link', { name })
  await opens.or(link).first().waitFor()
  if (await opens.isVisible()) await hands.press(opens)
  await hands.press(link)
}
