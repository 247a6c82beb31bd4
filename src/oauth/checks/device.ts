import { invalid } from '../../core/problem.ts'
import { deviceInterval } from '../lifetimes.ts'
import { refusal } from '../problems.ts'
import type { DeviceRequest } from '../store/codes.ts'

/** What a waiting device is told. (RFC 8628 §3.5) */

/** A request that nobody has decided on in time is over. (RFC 8628 §3.5) */
export function checkDeviceFresh({ expiresAt }: Pick<DeviceRequest, 'expiresAt'>, now: Date): void {
  if (expiresAt <= now)
    throw refusal('expired_token', 'device_code.expired', 'The device code has expired; begin again.')
}

/** A device that asks more often than it was told must wait longer from then on. (RFC 8628 §3.5) */
export function nextInterval({ askedAt, interval }: Pick<DeviceRequest, 'askedAt' | 'interval'>, now: Date): number {
  const isTooFast = askedAt !== null && now.getTime() - askedAt.getTime() < interval * 1000
  return isTooFast ? interval + deviceInterval : interval
}

/** Whoever asks too early is told how long to leave between questions from now on. (RFC 8628 §3.5) */
export function checkPace({ interval }: Pick<DeviceRequest, 'interval'>, next: number): void {
  if (next > interval) throw refusal('slow_down', 'device_code.too_fast', `Ask every ${next} seconds at most.`)
}

/** Whether somebody may still decide on a request. (RFC 8628 §3.3) */
export function isWaiting({ decision, expiresAt }: Pick<DeviceRequest, 'decision' | 'expiresAt'>, now: Date): boolean {
  return decision === null && expiresAt > now
}

/** A request is decided once, in time. (RFC 8628 §3.3) */
export function checkUndecided<T extends Pick<DeviceRequest, 'decision' | 'expiresAt'>>(
  request: T | undefined,
  now: Date,
): T {
  if (request === undefined || !isWaiting(request, now)) {
    throw invalid('device_code.decided', 'This device no longer waits; begin anew on it.')
  }
  return request
}

/** While the user has not decided, the device waits; a refusal is final. (RFC 8628 §3.5) */
export function checkDecided({ decision }: Pick<DeviceRequest, 'decision'>): void {
  if (decision === null) {
    throw refusal('authorization_pending', 'device_code.pending', 'The user has not decided yet; ask again later.')
  }
  if (decision === 'denied') throw refusal('access_denied', 'device_code.denied', 'The user has refused.')
}
