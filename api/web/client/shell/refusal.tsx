/** The reason of a refusal, announced by screen readers at once. Renders nothing without a message. */
export const Refusal = ({ message }: { readonly message: string | null | undefined }) =>
  message ? (
    <p class="refusal" role="alert">
      {message}
    </p>
  ) : null
