import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { ApiError } from '../../data/api.ts'
import { words } from '../../data/words.ts'
import { Dialog } from '../dialog.tsx'
import { StateIcon } from '../icon.tsx'
import styles from './form.module.css'
import { UploadsContext, useUploads } from './uploads.ts'

/** A form: what is wrong is shown at its field, and above all fields with the focus. (W10, W15) */

interface Props {
  /** For buttons that stand outside of it. */
  readonly id?: string
  readonly onSubmit: () => unknown
  /** Why the last attempt was refused. */
  readonly error?: Error | null
  /** The words of a refusal, where they are not those of the answer. */
  readonly say?: (error: ApiError) => string
  readonly isChanged?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** The refusal, and the field that its words name in quotation marks. */
interface Fault {
  readonly message: string
  readonly field: string | null
}

const FaultContext = createContext<Fault | null>(null)

export function Form({
  id,
  onSubmit,
  error = null,
  say = ({ message }) => message,
  isChanged = false,
  className = '',
  children,
}: Props) {
  const fault = error === null ? null : faultOf(error, say)
  const summary = useRef<HTMLDivElement>(null)
  const uploads = useUploads()
  useEffect(() => {
    if (error !== null) summary.current?.focus()
  }, [error])
  return (
    <FaultContext value={fault}>
      <form
        id={id}
        className={`stack ${className}`}
        noValidate={false}
        onSubmit={(event) => {
          event.preventDefault()
          if (!uploads.delays(event.nativeEvent.submitter)) onSubmit()
        }}
      >
        {fault !== null && (
          <div ref={summary} tabIndex={-1} className="notice notice-alert" role="alert">
            <p>
              <bdi>{fault.message}</bdi>
            </p>
          </div>
        )}
        <UploadsContext value={uploads}>{children}</UploadsContext>
      </form>
      <Leaving isChanged={isChanged} />
    </FaultContext>
  )
}

function faultOf(error: Error, say: (error: ApiError) => string): Fault {
  if (!(error instanceof ApiError)) return { message: words('form.unreachable'), field: null }
  return { message: say(error), field: /["“]([\w.]+)["”]/.exec(error.message)?.[1] ?? null }
}

/** Asks before the reader leaves a page with something that is not saved. */
function Leaving({ isChanged }: { readonly isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog title={words('form.leave')} close={blocker.reset}>
      <p>{words('form.leave-text')}</p>
      <div className="btns">
        <button type="button" className="btn btn-primary" onClick={blocker.reset}>
          {words('form.stay')}
        </button>
        <button type="button" className="btn" onClick={blocker.proceed}>
          {words('form.go')}
        </button>
      </div>
    </Dialog>
  )
}

interface FieldProps {
  /** The member of the request that it is. */
  readonly name: string
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isRequired?: boolean
  /** What somebody else has saved meanwhile. */
  readonly beside?: ReactNode
  readonly children: (of: {
    readonly id: string
    readonly 'aria-describedby'?: string
    readonly 'aria-invalid'?: true
  }) => ReactNode
}

/** What a page says under a field, such as who changed it last; nothing unless it says so. */
export const FieldNotes = createContext<(name: string) => ReactNode>(() => null)

export interface Saved {
  readonly who: string
  readonly at: string
}

/** Who has saved a value last, and when, for the comparison with what the reader types; undefined where no page knows it. */
export const SavedBy = createContext<(name: string) => Saved | undefined>(() => undefined)

/** A field with its label, its hint, and what is wrong with it. */
export function Field({ name, label, hint, isRequired = false, beside, children }: FieldProps) {
  const id = useId()
  const fault = useContext(FaultContext)
  const isFaulty = fault?.field === name
  const note = useContext(FieldNotes)(name)
  const described = [...(hint === undefined ? [] : [`${id}h`]), ...(isFaulty ? [`${id}f`] : [])].join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isRequired && <span className="muted"> {words('form.needed')}</span>}
      </label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(isFaulty && { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p id={`${id}h`} className="small muted">
          {hint}
        </p>
      )}
      {isFaulty && (
        <p id={`${id}f`} className={styles.fault}>
          <StateIcon name="problem" />
          <bdi>{fault.message}</bdi>
        </p>
      )}
      {beside}
      {note}
    </div>
  )
}

/** The button that sends the form, with what became of it. */
export function Save({
  isSending,
  isSaved = false,
  isDisabled = false,
  children,
}: {
  readonly isSending: boolean
  readonly isSaved?: boolean
  readonly isDisabled?: boolean
  readonly children: ReactNode
}) {
  const { isSending: isUploading, isDelayed } = useContext(UploadsContext)
  // What is uploaded will be a change.
  const isOff = isSending || isDelayed || (isDisabled && !isUploading)
  return (
    <div className="btns">
      <button type="submit" className="btn btn-primary" aria-disabled={isOff}>
        {children}
      </button>
      <span role="status" className="muted">
        {isDelayed ? words('form.delayed') : isSending ? words('form.saving') : isSaved ? words('form.saved') : ''}
      </span>
    </div>
  )
}
