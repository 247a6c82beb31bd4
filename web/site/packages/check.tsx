import { type ReactNode, useId, useRef, useState } from 'react'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Failure, Loaded } from '../parts/loaded.tsx'
import { sizeOf, wholeOf } from '../parts/numbers.ts'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Instant } from '../parts/time.tsx'
import type { Verified } from './checking.ts'
import styles from './packages.module.css'

/** Whether a tournament's package is whole and who signed it, for everybody and without sending it. (P2) */

const keysAddress = address('/.well-known/package-keys.json', {})

export function CheckPackage() {
  return (
    <div className="page stack">
      <h1>{words('package-check.title')}</h1>
      <p className={styles.what}>{words('package-check.what')}</p>
      <ChoosePackage />
    </div>
  )
}

/** What comes of a package that is whole. */
type Then = (file: File, found: Verified) => ReactNode

/** Takes a file, and says whether it is a package that is whole, who signed it, and what it holds. */
export function ChoosePackage({ children = () => null }: { readonly children?: Then }) {
  const keys = useRead(keysAddress)
  if (!isSecureContext) return <p className="notice notice-warning">{words('package-check.insecure')}</p>
  return (
    <Loaded of={keys.error === null ? keys : { ...keys, data: { keys: [] }, error: null }} rows={2}>
      {({ keys: known }) => <Chosen known={known} isKnown={keys.error === null} then={children} />}
    </Loaded>
  )
}

type Known = Parameters<typeof import('./checking.ts').check>[1]

type Done = { readonly file: File } & (
  | { readonly read: number }
  | { readonly found: Verified | string }
  | { readonly error: Error }
)

function Chosen({ known, isKnown, then }: { readonly known: Known; readonly isKnown: boolean; readonly then: Then }) {
  const id = useId()
  const [done, setDone] = useState<Done | null>(null)
  const latest = useRef<File | null>(null)
  const start = async (file: File) => {
    latest.current = file
    const show = (now: Done) => {
      if (latest.current === file) setDone(now)
    }
    show({ file, read: 0 })
    try {
      const { check } = await import('./checking.ts')
      const found = await check(file, known, words('package-check.this-service'), (read) => show({ file, read }))
      show({ file, found })
    } catch (error) {
      show({ file, error: error as Error })
    }
  }
  return (
    <>
      {!isKnown && <p className="notice notice-warning">{words('package-check.no-keys')}</p>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is dropped can be chosen by the button too */}
      <div
        className={styles.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const [dropped] = event.dataTransfer.files
          if (dropped !== undefined) void start(dropped)
        }}
      >
        <input
          id={id}
          className="unseen"
          type="file"
          accept=".zip,application/zip"
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            target.value = ''
            if (chosen !== undefined) void start(chosen)
          }}
        />
        <label htmlFor={id} className={done === null ? 'btn btn-primary' : 'btn'}>
          {words(done === null ? 'package-check.choose' : 'package-check.other')}
        </label>
        <span className="muted">{words('package-check.drop')}</span>
      </div>
      <div role="status">
        {done !== null && 'read' in done && (
          <p className="muted">{words('package-check.doing', { name: done.file.name, done: done.read + 1 })}</p>
        )}
        {done !== null && 'found' in done && <Judged file={done.file} found={done.found} />}
      </div>
      {done !== null && 'found' in done && typeof done.found !== 'string' && (
        <>
          <About {...done.found.manifest} />
          {then(done.file, done.found)}
        </>
      )}
      {done !== null && 'error' in done && <Failure error={done.error} again={() => void start(done.file)} />}
    </>
  )
}

function Judged({ file, found }: { readonly file: File; readonly found: Verified | string }) {
  const head = (
    <p className="muted">
      <bdi>{file.name}</bdi>, {sizeOf(file.size)}
    </p>
  )
  if (typeof found === 'string')
    return (
      <div className={styles.judged} data-is="broken">
        {head}
        <p className={styles.verdict}>
          <State shape="problem" tone="alert">
            {words('package-check.broken')}
          </State>
        </p>
        <p dir="auto">{found}</p>
        <p>{words('package-check.broken-means')}</p>
      </div>
    )
  const { state, name, kid } = found.signer
  const signer = name ?? ''
  const [shape, verdict, means] = {
    known: ['done', words('package-check.known', { signer }), words('package-check.known-means', { signer })],
    unknown: ['ready', words('package-check.unknown'), words('package-check.unknown-means')],
    unsigned: ['ready', words('package-check.unsigned'), words('package-check.unsigned-means')],
  }[state] as ['done' | 'ready', string, string]
  return (
    <div className={styles.judged} data-is={state}>
      {head}
      <p className={styles.verdict}>
        <State shape={shape}>{verdict}</State>
      </p>
      <p>{means}</p>
      {kid !== null && (
        <p className="small muted">
          {words('package-check.key')} <span className={`code ${styles.key}`}>{kid}</span>
        </p>
      )}
    </div>
  )
}

const variants = {
  public: 'package-check.variant-public',
  full: 'package-check.variant-full',
  anonymised: 'package-check.variant-anonymised',
} as const satisfies Record<Verified['manifest']['variant'], WordId>

/** What anybody may have written: text alone, and no links. */
function About({ variant, private: isPrivate, service, tournament, stateAt, counts, files }: Verified['manifest']) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return (
    <Section title={words('package-check.about')}>
      <dl className="facts">
        <dt>{words('package-check.tournament')}</dt>
        <dd>
          <bdi className="strong">{tournament.name}</bdi> <span className="code muted">{tournament.id}</span>
        </dd>
        <dt>{words('package-check.holds')}</dt>
        <dd>{words(isPrivate ? 'package-check.variant-private' : variants[variant])}</dd>
        <dt>{words('package-check.service')}</dt>
        <dd>
          <bdi>{service.name}</bdi>
          {service.url !== null && (
            <>
              , <bdi>{service.url}</bdi>
            </>
          )}
          , {words('package-check.release', { release: service.release })}
        </dd>
        {stateAt !== null && !Number.isNaN(Date.parse(stateAt)) && (
          <>
            <dt>{words('package-check.state')}</dt>
            <dd>
              <Instant at={stateAt} />
            </dd>
          </>
        )}
        <dt>{words('package-check.files')}</dt>
        <dd>{words('package-check.count', { count: files.length, size: sizeOf(bytes) })}</dd>
      </dl>
      <Kinds counts={counts} />
    </Section>
  )
}

/** What readers look for first, by its kind of rows. */
const main = {
  teams: 'package-check.teams',
  people: 'package-check.people',
  matches: 'package-check.matches',
  pools: 'package-check.pools',
  flows: 'package-check.flows',
  overlays: 'package-check.overlays',
  media: 'package-check.media',
} as const satisfies Record<string, WordId>

/** How much of what it holds; all kinds of rows, as the package names them, on demand. */
export function Kinds({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const kinds = Object.entries(counts).filter(([, count]) => count > 0)
  if (kinds.length === 0) return <p className="muted">{words('package-check.none')}</p>
  const named = Object.entries(main).filter(([kind]) => (counts[kind] ?? 0) > 0)
  return (
    <>
      {named.length > 0 && (
        <ul className={styles.main}>
          {named.map(([kind, word]) => (
            <li key={kind}>{words(word, { count: counts[kind] ?? 0 })}</li>
          ))}
        </ul>
      )}
      <details>
        <summary>{words('package-check.all', { count: kinds.length })}</summary>
        <table className={`table ${styles.kinds}`}>
          <thead>
            <tr>
              <th scope="col">{words('package-check.kind')}</th>
              <th scope="col">{words('package-check.rows')}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(([kind, count]) => (
              <tr key={kind}>
                <th scope="row" className="code">
                  {kind}
                </th>
                <td className="num">{wholeOf(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
