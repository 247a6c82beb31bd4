import { api } from '../src/app.ts'
import { describeApi } from '../src/infra/http/openapi.ts'

/** Checks every response of a test against the API description: a response that it lacks is an error. (D15) */

interface Operation {
  readonly servers?: readonly { readonly url: string }[]
  readonly responses: Readonly<Record<string, { readonly description: string } | undefined>>
}
/** By method in lower case. */
type Methods = Readonly<Record<string, Operation | undefined>>

interface Description {
  readonly paths: Readonly<Record<string, Methods>>
  readonly 'x-problems-of-any-request': Readonly<Record<string, number>>
}

interface Made {
  readonly paths: readonly { readonly pattern: RegExp; readonly methods: Methods }[]
  readonly ofAnyRequest: Readonly<Record<string, number>>
}
let made: Made | undefined

function make(): Made {
  const { paths, 'x-problems-of-any-request': ofAnyRequest } = describeApi(api) as unknown as Description
  const sorted = Object.entries(paths)
    // In the order in which routes are matched: literal segments come before parameters.
    .sort(([a], [b]) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))
    .map(([path, methods]) => {
      const isAtRoot = Object.values(methods).some((operation) => operation?.servers !== undefined)
      const spelt = path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]*')
      return { pattern: new RegExp(`^${isAtRoot ? '' : '/api'}${spelt}$`), methods }
    })
  return { paths: sorted, ofAnyRequest }
}

/**
 * @param path the called path, with `/api` and without query
 * @throws Error for a status or a problem code that the operation's description does not name
 */
export function expectDescribed(method: string, path: string, status: number, code: string | null): void {
  made ??= make()
  const { paths, ofAnyRequest } = made
  if (code !== null && ofAnyRequest[code] === status) return
  const found = paths.find(({ pattern }) => pattern.test(path.replaceAll('%40', '@')))
  const operation = found?.methods[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation === undefined) return
  const response = operation.responses[status]
  const isTold = response !== undefined && (status < 400 || response.description.includes(`\`${code}\``))
  if (!isTold) throw new Error(`${method} ${path} answered ${status} ${code ?? ''}, which its description lacks`)
}
