import { type Address, address } from '../../data/api.ts'
import type { PlatformSettings } from '../../data/generated.ts'
import { readNow } from '../../data/queries.ts'
import type { FormState } from '../../parts/form/use-form.ts'

/** What the parts of the page read, under the same addresses. */

export const recordAddress = (platform: string) => address('/tournament-platforms/{platform}', { platform })

export const settingsAddress = (platform: string) => address('/tournament-platforms/{platform}/settings', { platform })

export const deliveriesPath = (platform: string) => address('/tournament-platforms/{platform}/deliveries', { platform })

export const webhookEvents = [
  'visibility_requested',
  'visibility_approved',
  'visibility_rejected',
  'visibility_blocked',
  'visibility_withdrawn',
  'member_added',
  'member_removed',
] as const satisfies readonly PlatformSettings['webhookEvents'][number][]

/** Whether somebody else has saved what the reader has changed; the form shows both then. (W10) */
export async function hasConflict<Body, Values extends object>(
  form: FormState<Values>,
  at: Address<Body>,
  valuesOf: (body: Body) => Values,
): Promise<boolean> {
  // Where the service does not answer, saving says so.
  const newest = await readNow(at).catch(() => undefined)
  return newest !== undefined && Object.keys(form.over(valuesOf(newest)).conflicts).length > 0
}
