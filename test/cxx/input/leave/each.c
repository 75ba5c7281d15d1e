/* C between two functions of C++. */
void each(void (*one)(void *), void *argument);

void each(void (*one)(void *), void *argument)
{
    for (;;)
        one(argument);
}
