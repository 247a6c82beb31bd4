import { useState } from 'react'
import type { Coordination } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { readNow, useRead } from '../../data/queries.ts'
import { useDivisions, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { NumberField, SelectField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { Key } from '../../parts/key.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './control.module.css'
import { sideNames, useShown } from './shown.ts'

/** Which match the scenes are about. A choice is carried out by a press, so that keys can move through the list. */

const none = 'none'
const byNumber = 'number'

type Listed = Coordination['running'][number]['match']

const said = ({ number, sides, status }: Listed): string => {
  const [one, other] = sides.map(({ team }) => team?.name ?? words('match.undecided'))
  const state = words(`match.${status}`)
  return words('control.option', { number, one: one ?? '', other: other ?? '', state })
}

export function MatchChoice() {
  const { control, data, acts } = useShown()
  const tournament = useTournamentId()
  const list = useRead(address('/tournaments/{tournament}/coordination', { tournament }), { live: true }).data
  const [choice, setChoice] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const { matchGuid } = control
  const present = matchGuid ?? none
  const { running = [], next = [] } = list ?? {}
  const isListed = [...running, ...next].some(({ match }) => match.guid === matchGuid)
  const isOther = choice !== null && choice !== present
  const point = async () => {
    if (choice === null) return
    await acts.send({ matchGuid: choice === none ? null : choice })
    setChoice(null)
  }
  const [one, other] = sideNames(data)
  const own = data?.match?.number
  return (
    <Section title={words('control.match')}>
      <form
        className={styles.match}
        onSubmit={(event) => {
          event.preventDefault()
          void point()
        }}
      >
        <select
          className="in"
          aria-label={words('control.match')}
          value={choice ?? present}
          onChange={({ target: { value } }) => (value === byNumber ? setOpen(true) : setChoice(value))}
        >
          <option value={none}>{words('control.no-match')}</option>
          {matchGuid !== null && !isListed && (
            <option value={matchGuid}>
              {own == null ? words('control.another-match') : words('control.pairing', { number: own, one, other })}
            </option>
          )}
          <Group title={words('control.running')} of={running} />
          <Group title={words('control.coming')} of={next} />
          <option value={byNumber}>{words('control.by-number')}…</option>
        </select>
        {isOther ? (
          <button type="submit" className="btn btn-primary">
            {words('control.point')}
          </button>
        ) : (
          <button
            type="button"
            className="btn"
            aria-pressed={control.swapSides}
            data-key="s"
            disabled={matchGuid === null}
            onClick={() => void acts.send({ swapSides: !control.swapSides })}
          >
            <Icon name="swap" />
            {words('control.swap')} <Key of="s" />
          </button>
        )}
      </form>
      {isOther && <p className="small muted">{words('control.point-what')}</p>}
      {isOpen && (
        <Dialog title={words('control.by-number')} close={() => setOpen(false)}>
          <ByNumber close={() => setOpen(false)} />
        </Dialog>
      )}
    </Section>
  )
}

function Group({ title, of }: { readonly title: string; readonly of: Coordination['running'] }) {
  if (of.length === 0) return null
  return (
    <optgroup label={title}>
      {of.map(({ match }) => (
        <option key={match.guid} value={match.guid}>
          {said(match)}
        </option>
      ))}
    </optgroup>
  )
}

function ByNumber({ close }: { readonly close: () => void }) {
  const { acts } = useShown()
  const tournament = useTournamentId()
  const divisions = useDivisions().data ?? []
  const [error, setError] = useState<Error | null>(null)
  const form = useForm({ key: null, saved: { number: null as number | null, division: '' } })
  const division = form.values.division || divisions[0]?.id
  const find = async () => {
    const match = String(form.values.number ?? '')
    const query = division === undefined ? {} : { division }
    try {
      const { guid } = await readNow(address('/tournaments/{tournament}/matches/{match}', { tournament, match }, query))
      await acts.send({ matchGuid: guid })
      close()
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : (failure as Error))
    }
  }
  return (
    <Form onSubmit={find} error={error}>
      <NumberField form={form} name="number" label={words('control.number')} min={1} isRequired />
      {divisions.length > 1 && (
        <SelectField
          form={form}
          name="division"
          label={words('control.division')}
          options={divisions.map(({ id, name }) => [id, name] as const)}
        />
      )}
      <Save isSending={acts.sending.matchGuid !== undefined}>{words('control.point')}</Save>
    </Form>
  )
}
