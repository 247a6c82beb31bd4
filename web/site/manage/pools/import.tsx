import { getRouteApi, Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Import, Pool } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { usePools } from '../map-reads.ts'
import { bodyOf, difficulties, isGiven, kinds, nothing, type Values } from './import-request.ts'
import { ImportRows, TotalsOf } from './import-rows.tsx'
import { OfPool } from './of-pool.tsx'
import styles from './pools.module.css'
import { type Rights, useFlairs, useRights } from './reads.ts'

/** Many maps at once, of a file, a link, lines or another pool: first what would be added, then the maps. */

const route = getRouteApi('/manage/$tournament/pools/$pool/import')

export function ImportMaps() {
  return (
    <OfPool guid={route.useParams().pool} className="page stack">
      {(pool) => <Importing pool={pool} />}
    </OfPool>
  )
}

function Importing({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const place = useTournament().data
  const rights = useRights(pool)
  const params = { tournament, pool: pool.guid }
  const form = useForm<Values>({ key: `import-${pool.guid}`, saved: nothing })
  const [file, setFile] = useState<File | null>(null)
  /** The import that is shown, and whether it was for real. */
  const [shown, setShown] = useState<string | null>(null)
  const at = '/tournaments/{tournament}/pools/{pool}/imports/{import}'
  const start = useWrite('POST /tournaments/{tournament}/pools/{pool}/imports', (known, reply) => {
    known.put(address(at, { ...params, import: reply.guid }), reply)
    setShown(reply.guid)
  })
  const job = useRead(shown === null ? null : address(at, { ...params, import: shown }), { live: true })
  const run = (isDry: boolean) => {
    const body = bodyOf(form.values, file, { isDry, rights })
    return body === null ? Promise.resolve(false) : start.send({ params, body })
  }
  const change = (values: Partial<Values>) => {
    setShown(null)
    form.change(values)
  }
  return (
    <>
      <div>
        <p>
          <Link to="/manage/$tournament/pools/$pool" params={params}>
            <bdi>{pool.name}</bdi>
          </Link>
        </p>
        <h1 data-title={`${words('poolers.import-title')} · ${place?.name ?? ''}`}>{words('poolers.import-title')}</h1>
        <p className="muted">{words('poolers.import-lead')}</p>
      </div>
      <Form error={start.error} onSubmit={() => run(true)}>
        <fieldset>
          <legend className="strong">{words('poolers.import-from')}</legend>
          <div className={styles.kinds}>
            {kinds.map((kind) => (
              <label key={kind} className="choice">
                <input type="radio" name="kind" checked={form.values.kind === kind} onChange={() => change({ kind })} />
                {words(`poolers.import-${kind}`)}
              </label>
            ))}
          </div>
        </fieldset>
        <Source
          form={form}
          pool={pool}
          setFile={(given) => {
            setShown(null)
            setFile(given)
          }}
        />
        <Options form={form} rights={rights} />
        <div className="btns">
          <button type="submit" className="btn" aria-disabled={start.isSending || !isGiven(form.values, file)}>
            {words('poolers.import-try')}
          </button>
          <span role="status" className="muted">
            {start.isSending || job.data?.status === 'running' ? words('poolers.import-reading') : ''}
          </span>
        </div>
      </Form>
      {shown !== null && (
        <Loaded of={job} rows={6}>
          {(result) => <Result of={result} pool={pool} isSending={start.isSending} enter={() => void run(false)} />}
        </Loaded>
      )}
    </>
  )
}

interface SourceProps {
  readonly form: ReturnType<typeof useForm<Values>>
  readonly pool: Pool
  readonly setFile: (file: File | null) => void
}

function Source({ form, pool, setFile }: SourceProps) {
  const id = useId()
  const pools = (usePools().data ?? []).filter(({ guid }) => guid !== pool.guid)
  switch (form.values.kind) {
    case 'file':
      return (
        <div className="field">
          <label htmlFor={id}>{words('poolers.import-file')}</label>
          <input
            id={id}
            className={`in ${styles.file}`}
            type="file"
            accept=".bplist,.json,application/json"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        </div>
      )
    case 'link':
      return (
        <TextField
          form={form}
          name="link"
          label={words('poolers.import-link')}
          hint={words('poolers.import-link-hint')}
          type="url"
          maxLength={500}
          placeholder="https://beatsaver.com/playlists/…"
        />
      )
    case 'lines':
      return (
        <TextField
          form={form}
          name="lines"
          label={words('poolers.import-lines')}
          hint={words('poolers.import-lines-hint')}
          rows={6}
          placeholder={'1a2b3 ExpertPlus\nhttps://beatsaver.com/maps/2c4d5 Hard'}
        />
      )
    case 'pool':
      return (
        <SelectField
          form={form}
          name="from"
          label={words('poolers.import-pool')}
          options={[['', words('poolers.choose')], ...pools.map(({ guid, name }) => [guid, name] as const)]}
        />
      )
  }
}

function Options({ form, rights }: Pick<SourceProps, 'form'> & { readonly rights: Rights }) {
  const flairs = useFlairs()
  return (
    <div className={styles.fields}>
      <SelectField
        form={form}
        name="difficulty"
        label={words('poolers.import-difficulty')}
        options={difficulties.map((each) =>
          each === 'ask' || each === 'highest'
            ? ([each, words(`poolers.difficulty-${each}`)] as const)
            : ([each, words(`difficulty.${each}`)] as const),
        )}
      />
      <SelectField
        form={form}
        name="flair"
        label={words('poolers.import-flair')}
        options={[['', words('poolers.no-flair')], ...flairs.map(({ guid, name }) => [guid, name] as const)]}
      />
      {rights.needsReason && (
        <TextField
          form={form}
          name="reason"
          label={words('poolers.reason')}
          hint={words('poolers.reason-hint')}
          isRequired
          maxLength={300}
        />
      )}
    </div>
  )
}

interface ResultProps {
  readonly of: Import
  readonly pool: Pool
  readonly isSending: boolean
  readonly enter: () => void
}

function Result({ of, pool, isSending, enter }: ResultProps) {
  const tournament = useTournamentId()
  if (of.status === 'running') return null
  const { counts, dryRun, status, reason } = of
  const params = { tournament, pool: pool.guid }
  const count =
    counts.added +
    of.rows.filter(
      ({ outcome, map }) =>
        outcome !== 'present' &&
        outcome !== 'added' &&
        map !== null &&
        (outcome === 'missing' || outcome === 'pending'),
    ).length
  return (
    <Section title={words(dryRun ? 'poolers.import-preview' : 'poolers.import-done')} beside={<TotalsOf of={counts} />}>
      {status === 'failed' && (
        <p className="notice notice-alert">
          {words('poolers.import-failed', { reason: reason?.replaceAll('.', '_') ?? '' })}
        </p>
      )}
      <ImportRows rows={of.rows} />
      <div className={`btns ${styles.acts}`}>
        {dryRun ? (
          <>
            <button type="button" className="btn btn-primary" aria-disabled={isSending || count === 0} onClick={enter}>
              {words('poolers.import-enter', { count })}
            </button>
            <span className="muted">{words('poolers.import-nothing-yet')}</span>
          </>
        ) : (
          <Link to="/manage/$tournament/pools/$pool" params={params} className="btn btn-primary">
            {words('poolers.import-back')}
          </Link>
        )}
      </div>
    </Section>
  )
}
