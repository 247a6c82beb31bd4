/** Rendered Markdown of the service, the only markup that is inserted: by the one policy for it. (W5) */

interface TrustedHtml {
  toString(): string
}
interface Policies {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(url: string): string },
  ): {
    createHTML(text: string): TrustedHtml
    createScriptURL(url: string): TrustedHtml
  }
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
const policy = trustedTypes?.createPolicy('site', {
  createHTML: (text) => text,
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError('not an address of this service')
    return url
  },
})

/** @param html a text that the service has rendered and sanitised */
export function Prose({ html }: { readonly html: string }) {
  const trusted = (policy?.createHTML(html) ?? html) as string
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the service has sanitised it, and the policy takes only this
  return <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: trusted }} />
}
