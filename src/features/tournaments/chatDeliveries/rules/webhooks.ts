import { chatWebhookFault } from '../../../listing/platforms/rules.ts'
import type { Tournament } from '../../tournaments/types.ts'
import { mainChannel } from '../types.ts'

/** Checks a saved address again before it is used, as the platform's base URL may have changed since. (D33, D37) */
export function isWebhookUsable(webhookUrl: string, chatApiUrl: string): boolean {
  return chatWebhookFault(webhookUrl, chatApiUrl) === null
}

/**
 * The address of a channel: the tournament's own webhook, or a further one by its label; null if there is none. A
 * secret. (D33, D85)
 */
export function webhookOf(
  { chatWebhookUrl, chatWebhooks }: Pick<Tournament, 'chatWebhookUrl' | 'chatWebhooks'>,
  channel: string,
): string | null {
  if (channel === mainChannel) return chatWebhookUrl
  return chatWebhooks.find(({ label }) => label === channel)?.url ?? null
}
