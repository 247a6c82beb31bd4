import { trustedHtml } from '../data/policy.ts'

/** Rendered Markdown of the service, the only markup that is inserted. (W5) */

/** @param html a text that the service has rendered and sanitised */
export function Prose({ html }: { readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the service has sanitised it, and the policy takes only this
  return <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />
}
