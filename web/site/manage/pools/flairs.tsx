import { useState } from 'react'
import type { Flair } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { SelectField, TextField, TextValue } from '../../parts/form/fields.tsx'
import { Field, Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { FlairName } from '../../parts/map.tsx'
import { Section } from '../../parts/section.tsx'
import { poolsAddress } from '../map-reads.ts'
import { SaveBar } from '../save-bar.tsx'
import styles from './pools.module.css'
import { flairsAddress } from './reads.ts'

/** The categories of maps, all edited at once; maps of one that is left out take another. */

interface Given {
  readonly guid?: string
  readonly name: string
  readonly color: string
  readonly icon: string | null
}

const most = 40
const colours = ['#2f6f9f', '#9a4a00', '#0a6b4d', '#7a3fa0', '#b3261e', '#785600']

export function FlairsSection() {
  const tournament = useTournamentId()
  const read = useRead(flairsAddress(tournament), { live: true })
  const may = useMay()
  return (
    <Section title={words('poolers.flairs')}>
      <Loaded of={read} rows={4}>
        {(flairs) =>
          may('flairs.replace') ? (
            <FlairsForm flairs={flairs} />
          ) : flairs.length === 0 ? (
            <Empty>{words('poolers.no-flairs')}</Empty>
          ) : (
            <p className={styles.marks}>
              {flairs.map((flair) => (
                <FlairName key={flair.guid} flair={flair} />
              ))}
            </p>
          )
        }
      </Loaded>
    </Section>
  )
}

function FlairsForm({ flairs }: { readonly flairs: readonly Flair[] }) {
  const tournament = useTournamentId()
  const saved: readonly Given[] = flairs.map(({ guid, name, color, icon }) => ({ guid, name, color, icon }))
  const form = useForm({ key: `flairs-${tournament}`, saved: { flairs: saved, to: '', reason: '' } })
  const save = useWrite('PUT /tournaments/{tournament}/flairs', (known, reply) => {
    form.take()
    known.put(flairsAddress(tournament), reply)
    known.renew(poolsAddress(tournament))
  })
  const [isReasonAsked, setReasonAsked] = useState(false)
  const { values } = form
  const given = values.flairs
  const gone = flairs.filter(({ guid }) => !given.some((each) => each.guid === guid))
  const code = save.error instanceof ApiError ? save.error.code : ''
  const set = (next: readonly Given[]) => form.set('flairs', next)
  const submit = async () => {
    const failure = await save.attempt({
      params: { tournament },
      body: {
        flairs: given,
        ...(values.to !== '' && { replaceWith: gone.map(({ guid }) => ({ from: guid, to: values.to })) }),
        ...(values.reason !== '' && { reason: values.reason }),
      },
    })
    if (failure instanceof ApiError && failure.code === 'pool.reason_missing') setReasonAsked(true)
  }
  return (
    <Form error={save.error} isChanged={form.isChanged} onSubmit={submit}>
      {given.length === 0 && <Empty>{words('poolers.no-flairs-head')}</Empty>}
      <ol className="lines">
        {given.map((flair, at) => (
          <li key={flair.guid ?? `new ${at}`} className={styles.flair}>
            <Field name="color" label={words('poolers.colour')}>
              {(of) => (
                <input
                  {...of}
                  type="color"
                  className={`in ${styles.colour}`}
                  value={flair.color}
                  onChange={({ target }) => set(given.with(at, { ...flair, color: target.value }))}
                />
              )}
            </Field>
            <TextValue
              name="name"
              label={words('poolers.flair-name')}
              isRequired
              maxLength={40}
              value={flair.name}
              change={(name) => set(given.with(at, { ...flair, name }))}
            />
            <span className={styles.moves}>
              {(['up', 'down'] as const).map((way) => {
                const to = way === 'up' ? at - 1 : at + 1
                const isEnd = to < 0 || to >= given.length
                return (
                  <button
                    key={way}
                    type="button"
                    className="btn btn-quiet btn-icon"
                    aria-label={words(`poolers.move-${way}`, { name: flair.name })}
                    aria-disabled={isEnd}
                    onClick={() => isEnd || set(given.toSpliced(at, 1).toSpliced(to, 0, flair))}
                  >
                    <Icon name={way} />
                  </button>
                )
              })}
              <button type="button" className="btn btn-quiet" onClick={() => set(given.toSpliced(at, 1))}>
                {words('settings.remove')}
                <span className="unseen">{flair.name}</span>
              </button>
            </span>
          </li>
        ))}
      </ol>
      <p>
        <button
          type="button"
          className="btn"
          aria-disabled={given.length >= most}
          onClick={() =>
            set([...given, { name: '', color: colours[given.length % colours.length] ?? '#2f6f9f', icon: null }])
          }
        >
          {words('poolers.add-flair')}
        </button>
      </p>
      {(code === 'flair.in_use' || values.to !== '') && gone.length > 0 && (
        <SelectField
          form={form}
          name="to"
          label={words('poolers.replace-with')}
          options={[
            ['', words('poolers.choose')],
            ...given.flatMap(({ guid, name }) => (guid === undefined ? [] : [[guid, name] as const])),
          ]}
        />
      )}
      {isReasonAsked && (
        <TextField
          form={form}
          name="reason"
          label={words('poolers.reason')}
          hint={words('poolers.reason-hint')}
          maxLength={300}
        />
      )}
      <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
    </Form>
  )
}
