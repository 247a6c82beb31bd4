import { spreadExamples } from './example-parts.ts'
import { openapiFormat } from './openapi-format.ts'
import { type Json, share } from './sharing.ts'

/** The published description: parts that `describeApi` repeats are written once. */
export function sharedApi(description: Json): Json {
  return share(withUsual(spreadExamples(description)), openapiFormat)
}

/** The text that is served. */
export function publishedText(description: Json): string {
  return JSON.stringify(sharedApi(description))
}

type Operation = Json & { readonly security: unknown; readonly parameters?: readonly Json[] }
type Methods = Readonly<Record<string, Operation>>

/** Writes parameters of all operations of a path once, at the path, and the most frequent credentials at the root. */
function withUsual(document: Json): Json {
  const paths = document.paths as Readonly<Record<string, Methods>>
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  const [usual] = [...Map.groupBy(all, ({ security }) => JSON.stringify(security))].sort(
    ([, a], [, b]) => b.length - a.length,
  )
  if (usual === undefined) return document
  const [text, [first]] = usual
  const changed = Object.entries(paths).map(([path, methods]) => {
    const common = commonParameters(Object.values(methods))
    const isCommon = new Set(common.map((parameter) => JSON.stringify(parameter)))
    const each = Object.entries(methods).map(([method, { parameters = [], security, ...rest }]) => {
      const own = parameters.filter((parameter) => !isCommon.has(JSON.stringify(parameter)))
      const other = JSON.stringify(security) === text ? {} : { security }
      return [method, { ...rest, ...other, ...(own.length === 0 ? {} : { parameters: own }) }]
    })
    return [path, { ...(common.length === 0 ? {} : { parameters: common }), ...Object.fromEntries(each) }]
  })
  return { ...document, security: first?.security, paths: Object.fromEntries(changed) }
}

function commonParameters(operations: readonly Operation[]): readonly Json[] {
  const [first, ...others] = operations
  if (first === undefined || others.length === 0) return []
  const texts = others.map(({ parameters = [] }) => new Set(parameters.map((parameter) => JSON.stringify(parameter))))
  return (first.parameters ?? []).filter((parameter) => texts.every((each) => each.has(JSON.stringify(parameter))))
}
