import { useId, useState } from 'react'
import type { Pool } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { type FoundMap, MapField } from '../../parts/finder.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { difficultyOf, mapName } from '../../parts/map.tsx'
import { poolsAddress } from '../map-reads.ts'
import styles from './pools.module.css'
import { poolAddress, type Rights, useFlairs } from './reads.ts'

/** A map is named by key, link or hash, or found in the archive; it is suggested, or added at once. */

const difficulties = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const

/** What the song has, where the reference does not say which is meant. */
interface Choice {
  readonly difficulty: (typeof difficulties)[number]
  readonly characteristic: string
}

const choicesOf = (error: Error | null): readonly Choice[] =>
  error instanceof ApiError && Array.isArray(error.data.choices) ? (error.data.choices as readonly Choice[]) : []

const nothing = { ref: '', difficulty: '', flair: '', note: '', reason: '' }

export function AddMap({ pool, rights }: { readonly pool: Pool; readonly rights: Rights }) {
  const tournament = useTournamentId()
  const may = useMay()
  const flairs = useFlairs()
  const id = useId()
  const form = useForm({ key: `add-map-${pool.guid}`, saved: nothing })
  const [found, setFound] = useState<FoundMap | null>(null)
  const [isAdding, setAdding] = useState(false)
  const clear = () => {
    form.take()
    setFound(null)
  }
  const suggest = useWrite('POST /tournaments/{tournament}/suggestions', (known, reply) => {
    clear()
    say(words('poolers.suggested', { name: mapName(reply.map) }))
    renew(known, `/tournaments/${tournament}/suggestions`)
  })
  const add = useWrite('POST /tournaments/{tournament}/pools/{pool}/maps', (known, reply) => {
    clear()
    say(words('poolers.added', { name: mapName(reply.map) }))
    renew(known, poolAddress(tournament, pool.guid), poolsAddress(tournament))
  })
  if (!may('suggestions.vote')) return null
  const { values } = form
  const error = isAdding ? add.error : suggest.error
  const choices = choicesOf(error)
  const isSending = suggest.isSending || add.isSending
  const [difficulty, characteristic] = values.difficulty.split('/')
  const named = {
    ...(found === null ? { ref: values.ref.trim() } : { mapGuid: found.guid }),
    ...(found === null && difficulty && { difficulty }),
    ...(found === null && characteristic && { characteristic }),
  }
  const flair = values.flair === '' ? {} : { flair: values.flair }
  const send = (asMap: boolean) => {
    setAdding(asMap)
    if (asMap) {
      void add.send({
        params: { tournament, pool: pool.guid },
        body: {
          ...named,
          ...(flair.flair !== undefined && { flairGuid: flair.flair }),
          ...(values.note !== '' && { staffNote: values.note }),
          ...(rights.needsReason && { reason: values.reason }),
        },
      })
    } else {
      void suggest.send({
        params: { tournament },
        body: {
          ...named,
          targetPool: pool.guid,
          ...(flair.flair !== undefined && { targetFlair: flair.flair }),
          ...(values.note !== '' && { note: values.note }),
        },
      })
    }
  }
  const isNamed = found !== null || values.ref.trim() !== ''
  return (
    <Form
      className={styles.add}
      error={error}
      say={sayOf}
      isChanged={isNamed}
      onSubmit={() => isNamed && !isSending && send(false)}
    >
      <div className={styles.fields}>
        {found === null && (
          <TextField
            form={form}
            name="ref"
            label={words('poolers.ref')}
            hint={words('poolers.ref-hint')}
            maxLength={200}
            placeholder="1a2b3"
          />
        )}
        {values.ref === '' && (
          <div className="field">
            <label htmlFor={id}>{words('poolers.archive')}</label>
            <MapField id={id} chosen={found} choose={setFound} placeholder={words('poolers.archive-hint')} />
          </div>
        )}
        {found === null && (
          <SelectField
            form={form}
            name="difficulty"
            label={words('maps.difficulty')}
            options={[
              ['', words('poolers.difficulty-open')],
              ...(choices.length > 0
                ? choices.map((each) => [`${each.difficulty}/${each.characteristic}`, difficultyOf(each)] as const)
                : difficulties.map((each) => [each, words(`difficulty.${each}`)] as const)),
            ]}
          />
        )}
        <SelectField
          form={form}
          name="flair"
          label={words('maps.flair')}
          options={[['', words('poolers.no-flair')], ...flairs.map(({ guid, name }) => [guid, name] as const)]}
        />
        <TextField form={form} name="note" label={words('poolers.why-this')} maxLength={1_000} />
        {rights.needsReason && rights.mayChange && (
          <TextField
            form={form}
            name="reason"
            label={words('poolers.reason')}
            hint={words('poolers.reason-add')}
            maxLength={300}
          />
        )}
      </div>
      <div className="btns">
        <button type="submit" className="btn" aria-disabled={!isNamed || isSending}>
          {words('poolers.suggest')}
        </button>
        {rights.mayChange && (
          <button
            type="button"
            className="btn"
            aria-disabled={!isNamed || isSending}
            onClick={() => isNamed && !isSending && send(true)}
          >
            {words('poolers.add-now')}
          </button>
        )}
        <span role="status" className="muted">
          {isSending ? words('poolers.looking-up') : ''}
        </span>
      </div>
    </Form>
  )
}

const renew = (known: Known, ...paths: readonly string[]) => {
  for (const path of paths) known.renew(path)
}

const sayOf = (error: ApiError) =>
  error.code === 'map.difficulty_missing' ? words('poolers.choose-difficulty') : error.message
