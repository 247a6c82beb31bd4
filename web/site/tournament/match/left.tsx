import { useNow } from '../../parts/time.tsx'

const two = (value: number) => String(value).padStart(2, '0')

function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const large = days > 0 ? `${days} d ${hours}:${two(minutes)}` : hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`
  return `${large}:${two(seconds % 60)}`
}

/** The time that is left, by the clock of the service; it does not move at `ms`. */
export function Left(props: { readonly until: string } | { readonly ms: number }) {
  const time = useNow(1_000)
  return (
    <b className="num" role="timer">
      {clockOf('ms' in props ? props.ms : Date.parse(props.until) - time)}
    </b>
  )
}
