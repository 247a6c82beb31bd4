import type { RealBrowser, RealVisitor, VisitorOptions } from '../../../test/chromium/browser.ts'
import type { Caller } from '../../../test/harness.ts'

/** Visits a service as a user whose browser remembers the sign-in: for strangers, pages ask for no token. (W1) */
export async function visitAs(
  browser: RealBrowser,
  service: Parameters<RealBrowser['visitor']>[0],
  user: Caller,
  options: VisitorOptions = {},
): Promise<RealVisitor> {
  const visitor = await browser.visitor(service, { ...options, user })
  await visitor.context.addInitScript(() => localStorage.setItem('downbeat.signed-in', 'yes'))
  return visitor
}
