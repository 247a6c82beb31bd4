import { useId, useState } from 'react'
import type { OverlayCaster, OverlayControl, UserCard } from '../../../../client/generated.ts'
import { useReader } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Face } from '../../parts/team.tsx'
import styles from './control.module.css'
import { useShown } from './shown.ts'

/** Who casts, in the order in which they are shown. */

const most = 3
const nobody: OverlayCaster = { name: '', pronouns: '', imageUrl: null, handle: '', userGuid: null }

const asCaster = (user: UserCard): OverlayCaster => ({
  ...nobody,
  name: user.preferredName || user.username,
  pronouns: user.pronouns ?? '',
  imageUrl: user.avatarUrl || null,
  userGuid: user.guid,
})

export function Casters() {
  const { control, acts } = useShown()
  const { casters } = control
  const { user } = useReader()
  // The place that is changed; behind the last one for somebody new.
  const [open, setOpen] = useState<number | null>(null)
  const isIn = casters.some(({ userGuid }) => userGuid === user?.guid)
  return (
    <Section
      title={words('control.casters')}
      beside={
        casters.length < most && (
          <div className="btns">
            {user && !isIn && (
              <button
                type="button"
                className="btn"
                onClick={() => void acts.send({ casters: [...casters, asCaster(user)] })}
              >
                {words('control.add-me')}
              </button>
            )}
            <button type="button" className="btn" onClick={() => setOpen(casters.length)}>
              <Icon name="plus" />
              {words('control.add')}
            </button>
          </div>
        )
      }
    >
      {casters.length === 0 && <Empty>{words('control.no-casters')}</Empty>}
      <ul className={`lines ${styles.casters}`}>
        {casters.map((caster, at) => (
          <li key={`${caster.userGuid ?? ''} ${caster.name}`}>
            <Face name={caster.name} picture={caster.imageUrl} />
            <span>
              <bdi className="strong">{caster.name}</bdi>{' '}
              <span className="muted">
                <bdi>{[caster.pronouns, caster.handle].filter(Boolean).join(', ')}</bdi>
              </span>
            </span>
            <button type="button" className="btn" onClick={() => setOpen(at)}>
              {words('control.change')}
              <span className="unseen"> {caster.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {open !== null && (
        <Dialog
          title={words(casters[open] === undefined ? 'control.new-caster' : 'control.change-caster')}
          close={() => setOpen(null)}
        >
          <CasterForm at={open} seen={control} close={() => setOpen(null)} />
        </Dialog>
      )}
    </Section>
  )
}

interface FormProps {
  readonly at: number
  readonly seen: OverlayControl
  readonly close: () => void
}

function CasterForm({ at, seen: shown, close }: FormProps) {
  const { acts } = useShown()
  const id = useId()
  // What others do meanwhile is compared with what there was as the form was opened.
  const [seen] = useState(shown)
  const before = seen.casters[at]
  const [person, setPerson] = useState<UserCard | null>(null)
  const [caster, setCaster] = useState(before ?? nobody)
  const { name, pronouns, handle } = caster
  const form = useForm({ key: null, saved: { name, pronouns, handle } })
  const choose = (user: UserCard | null) => {
    setPerson(user)
    if (user === null) return setCaster({ ...nobody, ...form.values })
    setCaster(asCaster(user))
    form.take()
  }
  const send = async (casters: readonly OverlayCaster[]) => {
    await acts.send({ casters }, seen)
    close()
  }
  const changed = { ...caster, ...form.values }
  return (
    <Form onSubmit={() => send(before === undefined ? [...seen.casters, changed] : seen.casters.with(at, changed))}>
      {before === undefined && (
        <div className="field">
          <label htmlFor={id}>{words('control.person')}</label>
          <PersonField id={id} placeholder={words('control.person-hint')} chosen={person} choose={choose} />
        </div>
      )}
      <TextField form={form} name="name" label={words('control.caster-name')} maxLength={60} isRequired />
      <TextField form={form} name="pronouns" label={words('control.pronouns')} maxLength={40} />
      <TextField form={form} name="handle" label={words('control.handle')} maxLength={60} />
      <div className="btns">
        <Save isSending={acts.sending.casters !== undefined}>{words('control.show')}</Save>
        {before !== undefined && (
          <button
            type="button"
            className="btn btn-danger"
            onClick={() => void send(seen.casters.filter((_, place) => place !== at))}
          >
            {words('control.remove-caster')}
          </button>
        )}
      </div>
    </Form>
  )
}
