/**
 * Explains why a server cannot listen, in one line that names the variable to change; returns any other error
 * unchanged.
 */
export function listeningFault(
  error: unknown,
  { host, port, variable = 'PORT' }: { readonly host: string; readonly port: number; readonly variable?: string },
): unknown {
  const sentence = sentenceOf((error as NodeJS.ErrnoException).code ?? '', host, `${variable} ${port}`)
  return sentence === null ? error : new Error(sentence, { cause: error })
}

function sentenceOf(code: string, host: string, port: string): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `${port} is in use at ${host}; stop what listens there, or choose another`
    case 'EACCES':
      return `${port} is not for everybody to listen on; choose one above 1023`
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return `HOST ${host} is no address of this machine`
    case 'EAFNOSUPPORT':
      return `HOST ${host} is of a kind of address that this machine does not have`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
      return `HOST ${host} cannot be resolved`
    default:
      return null
  }
}
