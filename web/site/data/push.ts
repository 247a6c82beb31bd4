/** Messages to this device by the browser's push service. (W24) */

/** Whether the browser can show messages, and the page is one that may ask. */
export const canPush: boolean = isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis

/** What the service needs to send to this browser. */
export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** Asks the reader, and the browser's push service. @returns null where the reader does not want to */
export async function subscribe(applicationServerKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await navigator.serviceWorker.ready
  const held = await pushManager.getSubscription()
  // The service has another key than when the reader subscribed: the browser refuses a second one until the first has ended.
  if (held !== null && textOf(held.options.applicationServerKey) !== applicationServerKey) await held.unsubscribe()
  return sentOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
}

/** The subscription of this browser; null without one. */
export async function ownSubscription(): Promise<Subscription | null> {
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.getSubscription()
  return subscription === null ? null : sentOf(subscription)
}

function sentOf(subscription: PushSubscription): Subscription {
  const { endpoint, keys } = subscription.toJSON()
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined)
    throw new Error('the browser gave no keys')
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
}

export async function unsubscribe(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}

/** By which the service knows this browser among the reader's devices; null where it is none of them. */
export async function ownDigest(): Promise<string | null> {
  const subscription = await ownSubscription()
  if (subscription === null) return null
  return textOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint)))
}

/** As base64url without padding. */
function textOf(bytes: ArrayBuffer | null): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
