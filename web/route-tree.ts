import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The tree of routes, read from `site/routes` without a browser: for the build and for docs/generated/pages.md. */

export interface Route {
  /** Such as `/t/:tournament/teams`. */
  readonly path: string
  /** The components that draw it, the frame around it first. */
  readonly components: readonly { readonly file: string; readonly name: string }[]
}

const folder = path.join(import.meta.dirname, 'site/routes')

export function readRouteTree(): readonly Route[] {
  const text = readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')
  const nodes = new Map(
    [...text.matchAll(/^const (\w+) = createRoute\(\{([\s\S]*?)\}\)$/gm)].map(([, name = '', options = '']) => [
      name,
      {
        path: /path: '([^']+)'/.exec(options)?.[1] ?? '',
        parent: parentOf(text, /getParentRoute: (?:\(\) => )?(\w+)/.exec(options)?.[1] ?? ''),
        component: componentOf(text, options),
      },
    ]),
  )
  const parents = new Set([...nodes.values()].map(({ parent }) => parent))
  return [...nodes]
    .filter(([name]) => !parents.has(name))
    .map(([, { path: own, parent, component }]) => {
      const frame = nodes.get(parent)
      const whole = frame === undefined ? own : `${frame.path}${own === '/' ? '' : own}`
      return {
        path: whole.replaceAll('$', ':'),
        components: frame === undefined ? [component] : [frame.component, component],
      }
    })
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en'))
}

/** A parent may be named by a function that gives it. */
function parentOf(text: string, name: string): string {
  return new RegExp(`const ${name} = \\(\\) => (\\w+)`).exec(text)?.[1] ?? name
}

function componentOf(text: string, options: string) {
  const lazy = /import\('\.\.\/([^']+)'\),\s*'(\w+)'/.exec(options)
  if (lazy !== null) return { file: lazy[1] ?? '', name: lazy[2] ?? '' }
  const name = /component: (\w+)/.exec(options)?.[1] ?? ''
  return { file: new RegExp(`\\b${name}\\b[^}]*\\} from '\\.\\./([^']+)'`).exec(text)?.[1] ?? '', name }
}
