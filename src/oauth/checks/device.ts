import { invalid } from '../../core/problem.ts'
import { deviceInterval } from '../lifetimes.ts'
import { refusal } from '../problems.ts'
import type { DeviceRequest } from '../store/codes.ts'

/** Checks on the polls of a waiting device. (RFC 8628 §3.5) */

/** A request without a decision ends at its expiry. (RFC 8628 §3.5) */
export function checkDeviceFresh({ expiresAt }: Pick<DeviceRequest, 'expiresAt'>, now: Date): void {
  if (expiresAt <= now)
    throw refusal('expired_token', 'device_code.expired', 'The device code has expired; begin again.')
}

/** The interval increases for a device that polls too often. (RFC 8628 §3.5) */
export function nextInterval({ askedAt, interval }: Pick<DeviceRequest, 'askedAt' | 'interval'>, now: Date): number {
  const isTooFast = askedAt !== null && now.getTime() - askedAt.getTime() < interval * 1000
  return isTooFast ? interval + deviceInterval : interval
}

/** A device that polls too early gets the new interval. (RFC 8628 §3.5) */
export function checkPace({ interval }: Pick<DeviceRequest, 'interval'>, next: number): void {
  if (next > interval) throw refusal('slow_down', 'device_code.too_fast', `Ask every ${next} seconds at most.`)
}

/** Whether the user may still decide on a request. (RFC 8628 §3.3) */
export function isWaiting({ decision, expiresAt }: Pick<DeviceRequest, 'decision' | 'expiresAt'>, now: Date): boolean {
  return decision === null && expiresAt > now
}

/** A request is decided only once, before its expiry. (RFC 8628 §3.3) */
export function checkUndecided<T extends Pick<DeviceRequest, 'decision' | 'expiresAt'>>(
  request: T | undefined,
  now: Date,
): T {
  if (request === undefined || !isWaiting(request, now)) {
    throw invalid('device_code.decided', 'This device no longer waits; begin anew on it.')
  }
  return request
}

/** The device waits until the user has decided; a refusal is final. (RFC 8628 §3.5) */
export function checkDecided({ decision }: Pick<DeviceRequest, 'decision'>): void {
  if (decision === null) {
    throw refusal('authorization_pending', 'device_code.pending', 'The user has not decided yet; ask again later.')
  }
  if (decision === 'denied') throw refusal('access_denied', 'device_code.denied', 'The user has refused.')
}
