import { api } from '../src/app.ts'
import { describeApi } from '../src/infra/http/openapi.ts'

/** Holds every answer that a test gets against the description: what it does not tell of must not be answered. (D15) */

interface Described {
  readonly pattern: RegExp
  /** By method in lower case. */
  readonly operations: Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> } | undefined>>
}
type Response = { readonly description: string }

interface Description {
  readonly paths: Readonly<Record<string, Described['operations'] & { readonly servers?: readonly { url: string }[] }>>
  readonly 'x-problems-of-any-request': Readonly<Record<string, number>>
}

let made: { readonly paths: readonly Described[]; readonly ofAnyRequest: Readonly<Record<string, number>> } | undefined

function description() {
  if (made !== undefined) return made
  const { paths, 'x-problems-of-any-request': ofAnyRequest } = describeApi(api) as unknown as Description
  const sorted = Object.entries(paths)
    // As routes are found: what is spelt out goes before what is not.
    .sort(([a], [b]) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))
    .map(([path, { servers, ...methods }]) => ({
      pattern: new RegExp(
        `^${servers === undefined ? '/api' : ''}${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]*')}$`,
      ),
      operations: methods,
    }))
  made = { paths: sorted, ofAnyRequest }
  return made
}

/**
 * @param path as it was called, with `/api` and without query
 * @throws Error for a status that the operation's description lacks, or a problem code that it does not name there
 */
export function expectDescribed(method: string, path: string, status: number, code: string | null): void {
  const { paths, ofAnyRequest } = description()
  if (code !== null && ofAnyRequest[code] === status) return
  const found = paths.find(({ pattern }) => pattern.test(path.replaceAll('%40', '@')))
  const operation = found?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation === undefined) return
  const response = operation.responses[status]
  const isTold = response !== undefined && (status < 400 || response.description.includes(`\`${code}\``))
  if (!isTold) throw new Error(`${method} ${path} answered ${status} ${code ?? ''}, which its description lacks`)
}
