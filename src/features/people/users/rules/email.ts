import { invalid } from '../../../../core/problem.ts'

export const maxEmailLength = 254

/**
 * The part before `@`: words with single dots between them. Quoted names are refused, as they may contain anything,
 * even line ends. (RFC 5321 §4.1.2)
 */
const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
/**
 * The part after `@`: a name in the public DNS, never a bare host or an IP address, which could lead into the service's
 * own network.
 */
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z])[a-z0-9-]{0,61}[a-z0-9]$/i
const maxLocalLength = 64

/**
 * An address must be deliverable: plain ASCII, at a domain name. Domains in other scripts are given in their ASCII
 * form. (D39; RFC 5321 §4.5.3.1)
 *
 * @throws Problem `email.invalid`
 */
export function checkAddress(email: string): void {
  const at = email.lastIndexOf('@')
  const [name, host] = [email.slice(0, at), email.slice(at + 1)]
  const isPlain = at > 0 && name.length <= maxLocalLength && local.test(name) && domain.test(host)
  if (!isPlain || email.length > maxEmailLength) {
    throw invalid('email.invalid', 'Give a plain e-mail address such as name@example.org, without quotes or accents.')
  }
}
