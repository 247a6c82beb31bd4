import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { sendFile } from '../data/api.ts'
import type { ImportedPackage, Writes } from '../data/generated.ts'
import { hasRole, useGlobalRoles } from '../data/global-roles.ts'
import { words } from '../data/words.ts'
import { Field, Form } from '../parts/form/form.tsx'
import { Section } from '../parts/section.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { ChoosePackage, Kinds } from './check.tsx'
import type { Verified } from './checking.ts'
import styles from './packages.module.css'

/** Makes a tournament of a package: it is checked here first, tried without keeping anything, and then imported. (P6) */
export function BringPackage() {
  return (
    <SignedIn title={words('bring.title')} why={words('bring.sign-in')}>
      {() => (
        <div className="page stack">
          <h1>{words('bring.title')}</h1>
          <p className={styles.what}>{words('bring.what')}</p>
          <ChoosePackage>
            {(file, found) => <Bring key={`${file.name} ${file.size}`} file={file} found={found} />}
          </ChoosePackage>
        </div>
      )}
    </SignedIn>
  )
}

type Asked = Omit<Writes['POST /tournaments/import']['query'], 'dryRun'>

/** A trial counts for what it was asked alone. */
const isSame = (one: Asked, other: Asked) => JSON.stringify(one) === JSON.stringify(other)

function useImport(file: File) {
  const navigate = useNavigate()
  const [share, setShare] = useState<number | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [tried, setTried] = useState<{ readonly asked: Asked; readonly result: ImportedPackage } | null>(null)
  const send = async (asked: Asked, dryRun: boolean) => {
    const body = new FormData()
    body.append('file', file)
    setShare(0)
    try {
      const result = await sendFile<ImportedPackage>('/tournaments/import', { ...asked, dryRun }, body, setShare)
      setError(null)
      if (result.tournament === null) setTried({ asked, result })
      else
        void navigate({ to: '/manage/$tournament', params: { tournament: result.tournament.id }, ignoreBlocker: true })
    } catch (refusal) {
      setError(refusal as Error)
      if (!dryRun) setTried(null)
    } finally {
      setShare(null)
    }
  }
  return { send, share, error, tried }
}

function Bring({ file, found: { manifest, signer } }: { readonly file: File; readonly found: Verified }) {
  const { roles = [] } = useGlobalRoles()
  const { variant } = manifest
  const mayRestore = hasRole(roles, 'role:dev') && variant === 'full' && signer.state !== 'unsigned'
  const [mode, setMode] = useState<'copy' | 'restore'>('copy')
  const [id, setId] = useState(`${manifest.tournament.id}-copy`.slice(-32).replace(/^-+/, ''))
  const [parts, setParts] = useState<'all' | 'setup'>('all')
  const [hasTrust, setTrust] = useState(false)
  const { send, share, error, tried } = useImport(file)
  const asked: Asked = mode === 'copy' ? { mode, id: id.trim(), parts } : { mode, ...(hasTrust && { trust: true }) }
  const result = tried !== null && isSame(tried.asked, asked) ? tried.result : null
  return (
    <Section title={words('bring.how')}>
      <Form error={error} onSubmit={() => share === null && send(asked, result === null)}>
        {variant !== 'full' && <p className="notice">{words(`bring.of-${variant}`)}</p>}
        {mayRestore && (
          <Choices
            legend={words('bring.mode')}
            of={[
              ['copy', words('bring.copy'), words('bring.copy-hint')],
              ['restore', words('bring.restore'), words('bring.restore-hint')],
            ]}
            value={mode}
            set={setMode}
          />
        )}
        {mode === 'copy' ? (
          <>
            <Field name="id" label={words('settings.id')} hint={words('new.id-is', { address: `/t/${id}` })} isRequired>
              {(of) => (
                <input
                  {...of}
                  className="in"
                  value={id}
                  maxLength={32}
                  required
                  autoComplete="off"
                  onChange={({ target }) => setId(target.value)}
                />
              )}
            </Field>
            <Choices
              legend={words('bring.parts')}
              of={[
                ['all', words('bring.all'), words('bring.all-hint')],
                ['setup', words('bring.setup'), words('bring.setup-hint')],
              ]}
              value={parts}
              set={setParts}
            />
          </>
        ) : (
          signer.state === 'unknown' && (
            <div>
              <label className="choice">
                <input type="checkbox" checked={hasTrust} onChange={({ target }) => setTrust(target.checked)} />
                {words('bring.trust')}
              </label>
              <p className="small muted">{words('bring.trust-hint')}</p>
            </div>
          )
        )}
        {result !== null && <Tried {...result} isNameless={variant === 'anonymised'} />}
        <div className="btns">
          <button type="submit" className="btn btn-primary" aria-disabled={share !== null}>
            {words(result === null ? 'bring.try' : 'bring.import')}
          </button>
          {result !== null && (
            <button
              type="button"
              className="btn"
              aria-disabled={share !== null}
              onClick={() => share === null && send(asked, true)}
            >
              {words('bring.again')}
            </button>
          )}
          <span role="status" className="muted">
            {share !== null && words(share < 1 ? 'bring.sending' : 'bring.working')}
            {share === null && result !== null && words('bring.tried')}
          </span>
          {share !== null && <progress max={1} value={share} aria-label={words('upload.progress')} />}
        </div>
      </Form>
    </Section>
  )
}

function Choices<Name extends string>({
  legend,
  of,
  value,
  set,
}: {
  readonly legend: string
  readonly of: readonly (readonly [name: Name, label: string, hint: string])[]
  readonly value: Name
  readonly set: (name: Name) => void
}) {
  const group = useId()
  return (
    <fieldset>
      <legend className="strong">{legend}</legend>
      {of.map(([name, label, hint]) => (
        <div key={name}>
          <label className="choice">
            <input
              type="radio"
              name={group}
              checked={value === name}
              onChange={() => set(name)}
              aria-describedby={`${group}${name}`}
            />
            {label}
          </label>
          <p id={`${group}${name}`} className="small muted">
            {hint}
          </p>
        </div>
      ))}
    </fieldset>
  )
}

/** What an import would do. Everything in it comes from the package, and is text alone. */
function Tried({
  mode,
  isNameless,
  signer,
  counts,
  people,
  skipped,
  changed,
  notTaken,
}: ImportedPackage & { readonly isNameless: boolean }) {
  const accounts = people.filter(({ state }) => state === 'account').length
  return (
    <section className={styles.tried} aria-label={words('bring.result')}>
      <h3>{words('bring.result')}</h3>
      {signer.state !== 'known' && mode === 'copy' && <p className="notice notice-warning">{words('bring.foreign')}</p>}
      <p>
        {words(`bring.people-${isNameless ? 'nameless' : mode}`, { accounts, placeholders: people.length - accounts })}
      </p>
      <Kinds counts={counts as Readonly<Record<string, number>>} />
      {notTaken.length > 0 && <p>{words('bring.not-taken', { kinds: notTaken.map(inWords).join(', ') })}</p>}
      <Lines
        title={words('bring.skipped')}
        of={skipped.map(({ path, member, rows }) => [
          member === null ? path : `${path} ${member}`,
          words('bring.rows', { count: rows }),
        ])}
      />
      <Lines title={words('bring.changed')} of={changed.map(({ path, why }) => [path, why])} />
    </section>
  )
}

/** A kind of rows as words, such as `badge grants`. */
const inWords = (kind: string) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function Lines({ title, of }: { readonly title: string; readonly of: readonly (readonly [string, string])[] }) {
  if (of.length === 0) return null
  return (
    <details>
      <summary>
        {title} ({of.length})
      </summary>
      <ul className="lines">
        {of.map(([what, more]) => (
          <li key={what}>
            <bdi className={`code ${styles.key}`}>{what}</bdi> <span className="muted">{more}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
