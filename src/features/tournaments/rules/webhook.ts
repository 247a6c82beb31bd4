/**
 * A chat webhook is an address on the chat platform's own REST host, over https unless the platform itself is reached
 * over http: `/api/webhooks/{id}/{token}`, or `/webhooks/{id}/{token}` below the REST base. (D33, D37: DISCORD_API_URL)
 * @returns why the address cannot be one, as the end of a sentence that does not repeat it, or null
 */
export function chatWebhookFault(address: string, apiUrl: string): string | null {
  const api = new URL(apiUrl)
  const example = `must be an address such as ${api.origin}/api/webhooks/{id}/{token}`
  if (!URL.canParse(address)) return example
  const url = new URL(address)
  if (url.origin !== api.origin) return `must be an address at ${api.origin}`
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return example
  const bases = ['/api', api.pathname.replace(/\/+$/, '')]
  return bases.some((base) => url.pathname.startsWith(base) && webhookPath.test(url.pathname.slice(base.length)))
    ? null
    : example
}

const webhookPath = /^\/webhooks\/[\w-]{1,100}\/[\w-]{1,200}$/
