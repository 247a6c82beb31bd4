/** The address of the socket, which the service writes into the page. */
export const socketUrl: string = document.body.dataset.socket ?? ''
