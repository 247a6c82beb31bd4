import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserCard } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { keepDraft } from '../../data/drafts.ts'
import { useRead } from '../../data/queries.ts'
import { tournamentAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { ownZone } from '../../parts/time.tsx'
import { changesOf, type SettingsValues, valuesOf } from '../settings-values.ts'
import styles from './new.module.css'
import { idOf, proposalsFor } from './steps.ts'

/** Name and short id, from nothing or as a copy of an earlier tournament. It makes the draft. */

const nothing = { name: '', id: '', from: '' }

/** What is its own in every tournament. */
const notCopied: ReadonlySet<string> = new Set([
  ...['name', 'id', 'imageUrl', 'bannerUrl', 'startsAt', 'endsAt'],
  ...['registrationOpensAt', 'registrationClosesAt', 'rosterLocksAt'],
])

export function FirstStep({ user }: { readonly user: UserCard }) {
  const form = useForm({ key: 'new', saved: nothing })
  const navigate = useNavigate()
  const earlier = useRead(address('/tournaments', {}, { organiser: user.guid, limit: 50 }))
  const { name, from } = form.values
  const source = useRead(from === '' ? null : tournamentAddress(from))
  const [taken, setTaken] = useState<string | null>(null)
  const id = form.values.id === '' ? idOf(name) : form.values.id
  const create = useWrite('POST /tournaments', (known, record) => {
    keepDraft(record.guid)
    form.take()
    known.put(tournamentAddress(record.guid), record)
    void navigate({ to: '/new', search: { draft: record.guid, step: 'dates' }, ignoreBlocker: true })
  })
  const isTaken = create.error instanceof ApiError && create.error.code === 'tournament.id_taken'
  const submit = () => {
    setTaken(id)
    const copied = source.data === undefined ? {} : copyOf(valuesOf(source.data))
    void create.send({ params: {}, body: { timezone: ownZone, ...copied, name, id } })
  }
  return (
    <Form error={create.error} isChanged={form.isChanged && !create.isDone} className={styles.form} onSubmit={submit}>
      <TextField form={form} name="name" label={words('settings.name')} maxLength={100} isRequired />
      <div>
        <TextField
          form={form}
          name="id"
          label={words('settings.id')}
          hint={words(id === '' ? 'new.id-hint' : 'new.id-is', { address: `/t/${id}` })}
          maxLength={100}
        />
        {isTaken && taken !== null && (
          <div className="notice notice-warning">
            <p className="push">{words('new.proposals')}</p>
            <div className="btns">
              {proposalsFor(taken, new Date().getFullYear()).map((each) => (
                <button key={each} type="button" className="btn" onClick={() => form.set('id', each)}>
                  {each}
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
      {earlier.data !== undefined && earlier.data.tournaments.length > 0 && (
        <div className="field">
          <label htmlFor="copy">{words('new.copy')}</label>
          <select id="copy" className="in" value={from} onChange={({ target }) => form.set('from', target.value)}>
            <option value="">{words('new.copy-none')}</option>
            {earlier.data.tournaments.map((each) => (
              <option key={each.guid} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
          <p className="small muted">{words('new.copy-hint')}</p>
        </div>
      )}
      <div className="btns">
        <button
          type="submit"
          className="btn btn-primary"
          aria-disabled={create.isSending || (from !== '' && source.data === undefined)}
        >
          {words('new.create')}
        </button>
        <span role="status" className="muted">
          {create.isSending && words('form.saving')}
        </span>
      </div>
    </Form>
  )
}

/** The settings of another tournament for a new one; its questions get GUIDs of their own. */
function copyOf(values: SettingsValues) {
  const questions = values.additionalFields.map(({ guid: _own, ...question }) => question)
  const names = Object.keys(values).filter((name) => !notCopied.has(name))
  const whole = { ...values, additionalFields: questions }
  const copied = Object.fromEntries(names.map((name) => [name, whole[name as keyof SettingsValues]]))
  return changesOf(copied as Partial<SettingsValues>, copied as unknown as SettingsValues)
}
