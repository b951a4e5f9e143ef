/** Why the service refused what the reader asked for, read out at once; nothing without a message. */
export const Refusal = ({ message }: { readonly message: string | null | undefined }) =>
  message ? (
    <p class="refusal" role="alert">
      {message}
    </p>
  ) : null
